import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const WEB = join(import.meta.dirname, '..')
const SRC = join(WEB, 'src')
const PLANTED = join(SRC, 'planted.tsx')

/** Attributes that are read to somebody or shown. */
const SHOWN = new Set(['title', 'aria-label', 'label', 'description', 'placeholder', 'alt', 'error'])
/** Components that make visible what they are given. */
const CLEANS: Record<string, readonly string[]> = { Dialog: ['title'], ConfirmButton: ['of', 'title'] }

const SAMPLE = `
import { DataTable } from '@/shared/ui/DataTable'
import { Foreign } from '@/shared/ui/Foreign'
import { Dialog } from '@/shared/ui/Dialog'
import { visible } from '@/shared/ui/visible'
import type { Approval, NamedValue, Sender } from '@/shared/api/types'

export function Wrong({ approval, values }: { approval: Approval; values: NamedValue[] }) {
  const { scope } = approval
  const said = approval.rule
  return (
    <div title={approval.requester}>
      <p>{approval.reason}</p>
      <p>{scope}</p>
      <p>{said ?? 'none'}</p>
      <p>{approval.mine ? 'You' : approval.requester}</p>
      <p>{\`of \${approval.requester}\`}</p>
      <p>{approval.senders?.join(', ')}</p>
      <p>{approval.epochs.map(epoch => <b key={epoch}>{epoch}</b>)}</p>
      {values.map(({ name, value }) => <p key={name}>{value}</p>)}
      <button aria-label={'Open ' + approval.query}>x</button>
    </div>
  )
}

export function Right({ approval, sender }: { approval: Approval; sender: Sender }) {
  return (
    <Dialog opened close={() => undefined} title={sender.name} action="x" submit={() => undefined}>
      <p title={visible(approval.requester)}>{visible(approval.scope)}</p>
      <Foreign>{approval.reason}</Foreign>
      <p>{approval.state}</p>
      <p>{approval.reason && 'a reason'}</p>
      <p key={approval.id} data-of={approval.requester}>{approval.epochs.length}</p>
      <DataTable label="x" items={[sender]} keyOf={one => one.name} columns={[{ name: 'x', cell: one => one.name }]} />
    </Dialog>
  )
}
`

function programOf(): ts.Program {
  const config = ts.readConfigFile(join(WEB, 'tsconfig.json'), ts.sys.readFile).config as object
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, WEB)
  const files = (readdirSync(SRC, { recursive: true }) as string[])
    .filter(file => /\.tsx?$/.test(file) && !/\.test\./.test(file))
    .map(file => join(SRC, file))
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = name => name === PLANTED || fileExists(name)
  host.readFile = name => (name === PLANTED ? SAMPLE : readFile(name))
  host.getSourceFile = (name, target, ...rest) =>
    name === PLANTED ? ts.createSourceFile(name, SAMPLE, target) : getSourceFile(name, target, ...rest)
  return ts.createProgram([...files, PLANTED], options, host)
}

/** Finds text of the interface that is shown as it came. Follows names and constants, not what functions make of it. */
class Finder {
  readonly found: string[] = []
  private readonly checker: ts.TypeChecker

  constructor(private readonly program: ts.Program) {
    this.checker = program.getTypeChecker()
  }

  run(): string[] {
    for (const file of this.program.getSourceFiles()) {
      if (file.fileName.startsWith(SRC) && file.fileName.endsWith('.tsx')) {
        this.visit(file)
      }
    }
    return this.found
  }

  private visit(node: ts.Node): void {
    if (ts.isJsxExpression(node) && node.expression && this.isShown(node)) {
      this.check(node.expression)
    }
    ts.forEachChild(node, child => this.visit(child))
  }

  private isShown({ parent }: ts.JsxExpression): boolean {
    if (ts.isJsxElement(parent)) {
      return parent.openingElement.tagName.getText() !== 'Foreign'
    }
    if (!ts.isJsxAttribute(parent)) {
      return true
    }
    const name = parent.name.getText()
    return SHOWN.has(name) && !CLEANS[parent.parent.parent.tagName.getText()]?.includes(name)
  }

  private check(node: ts.Expression): void {
    if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) {
      this.check(node.expression)
    } else if (ts.isConditionalExpression(node)) {
      this.check(node.whenTrue)
      this.check(node.whenFalse)
    } else if (ts.isBinaryExpression(node)) {
      this.binary(node)
    } else if (ts.isTemplateExpression(node)) {
      node.templateSpans.forEach(span => this.check(span.expression))
    } else if (ts.isCallExpression(node)) {
      this.call(node)
    } else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
      this.check(node.body)
    } else if (ts.isArrayLiteralExpression(node)) {
      node.elements.forEach(element => this.check(element))
    } else if (ts.isPropertyAccessExpression(node)) {
      this.property(node, this.checker.getSymbolAtLocation(node.name))
    } else if (ts.isIdentifier(node)) {
      this.identifier(node)
    }
  }

  private binary({ left, operatorToken, right }: ts.BinaryExpression): void {
    const { kind } = operatorToken
    const joins = [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.PlusToken]
    if (joins.includes(kind)) {
      this.check(left)
    }
    if (joins.includes(kind) || kind === ts.SyntaxKind.AmpersandAmpersandToken) {
      this.check(right)
    }
  }

  private call(node: ts.CallExpression): void {
    const { expression } = node
    if (ts.isIdentifier(expression)) {
      if (expression.text !== 'visible') {
        node.arguments.forEach(argument => this.check(argument))
      }
    } else if (ts.isPropertyAccessExpression(expression)) {
      // What a callback makes of each is looked at for itself, and where it is markup, by visit.
      if (expression.name.text !== 'map') {
        this.check(expression.expression)
      }
      node.arguments.forEach(argument => this.check(argument))
    }
  }

  private identifier(node: ts.Identifier): void {
    const declaration = this.checker.getSymbolAtLocation(node)?.valueDeclaration
    if (!declaration) {
      return
    }
    if (ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)) {
      const name = (declaration.propertyName ?? declaration.name).getText()
      this.property(node, this.checker.getTypeAtLocation(declaration.parent).getProperty(name))
    } else if (ts.isVariableDeclaration(declaration) && declaration.initializer) {
      if (!ts.isArrowFunction(declaration.initializer) && this.isText(this.checker.getTypeAtLocation(node))) {
        this.check(declaration.initializer)
      }
    } else if (ts.isParameter(declaration)) {
      this.element(node, declaration)
    }
  }

  /** A parameter of a callback that goes through a list of texts. */
  private element(node: ts.Identifier, { parent }: ts.ParameterDeclaration): void {
    const call = parent.parent
    if (
      ts.isArrowFunction(parent) &&
      ts.isCallExpression(call) &&
      ts.isPropertyAccessExpression(call.expression) &&
      this.isText(this.checker.getTypeAtLocation(node))
    ) {
      const list = call.expression.expression
      if (ts.isPropertyAccessExpression(list)) {
        this.property(node, this.checker.getSymbolAtLocation(list.name))
      }
    }
  }

  private property(node: ts.Node, symbol: ts.Symbol | undefined): void {
    const declaration = symbol?.declarations?.[0]
    if (!symbol || !declaration || !declaration.getSourceFile().fileName.endsWith('/api/schema.ts')) {
      return
    }
    const isFormatted = ts
      .getJSDocCommentsAndTags(declaration)
      .some(doc => /Format: (date-time|uuid)/.test(doc.getText()))
    if (!isFormatted && this.isText(this.checker.getTypeOfSymbolAtLocation(symbol, node))) {
      const file = node.getSourceFile()
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      this.found.push(`${relative(SRC, file.fileName)}:${line + 1} ${node.getText()}`)
    }
  }

  /** Any text, or a list of such; not one of a few that are known. */
  private isText(type: ts.Type): boolean {
    if (type.isUnion()) {
      return type.types.some(part => this.isText(part))
    }
    const element = this.checker.isArrayType(type)
      ? this.checker.getTypeArguments(type as ts.TypeReference)[0]
      : undefined
    return element ? this.isText(element) : (type.flags & ts.TypeFlags.String) !== 0
  }
}

describe('text of others', () => {
  const all = new Finder(programOf()).run()
  const isPlanted = (place: string) => place.startsWith('planted.tsx')

  it('is found where it is shown as it came', () => {
    expect(all.filter(isPlanted).map(place => place.split(' ')[1])).toEqual([
      'approval.requester',
      'approval.reason',
      'scope',
      'approval.rule',
      'approval.requester',
      'approval.requester',
      'approval.senders',
      'epoch',
      'value',
      'approval.query',
    ])
  })

  it('is made visible everywhere else', () => {
    expect(all.filter(place => !isPlanted(place))).toEqual([])
  })
})
