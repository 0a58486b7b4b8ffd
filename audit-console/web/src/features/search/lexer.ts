export type TokenKind = 'field' | 'operator' | 'bracket' | 'quoted' | 'text' | 'space'

export interface Token {
  kind: TokenKind
  text: string
  start: number
}

const PATTERN =
  /(\s+)|("(?:\\.|[^"\\])*"?)|([()])|((?:AND|OR|NOT)(?=[\s()]|$))|([\p{L}\p{N}_.-]+:(?!\/\/))|([^\s()":]+:?)|(.)/gu

const KINDS: TokenKind[] = ['space', 'quoted', 'bracket', 'operator', 'field', 'text', 'text']

/** Cuts a query for its colours. It decides nothing: what a query means, the server says. */
export function lex(query: string): Token[] {
  const tokens: Token[] = []
  for (const found of query.matchAll(PATTERN)) {
    const group = found.slice(1).findIndex(part => part !== undefined)
    tokens.push({ kind: KINDS[group] ?? 'text', text: found[0], start: found.index })
  }
  return tokens
}
