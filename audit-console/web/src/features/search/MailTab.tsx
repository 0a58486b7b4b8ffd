import { useState } from 'react'
import { Alert, Collapse, SegmentedControl, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconClockQuestion, IconPaperclip, IconShieldCheck } from '@tabler/icons-react'
import type { Mail, NamedValue, Row } from '@/shared/api/types'
import { CopyButton } from '@/shared/ui/Copy'
import { bytes, plural, stamp, timeZone } from '@/shared/ui/format'
import { visible } from '@/shared/ui/visible'
import { signedWords, signerHint } from '@/shared/ui/signers'
import { alteredWords, notOwn, Signed } from './GridRow'
import { Marked } from './Marked'
import css from './RecordPanel.module.css'

export interface At {
  search: string
  row: number
}

const FIRST = ['from', 'to', 'cc', 'subject', 'date']

export function MailTab({ mail, at, row }: { mail: Mail; at: At; row: Row }) {
  const [form, setForm] = useState<string>(mail.text === '' && mail.html ? 'html' : 'text')
  return (
    <div className={css.mailTab}>
      {row.signed && (
        <p className={css.signed} data-signed={row.signed}>
          <Signed row={{ ...row, altered: undefined }} />
          <span>
            {signedWords(row)}: {signerHint(row.signed)}.
          </span>
        </p>
      )}
      {row.altered && (
        <Alert color="red" variant="light" role="status" icon={<IconAlertTriangle size={18} />} p="xs">
          {alteredWords(row)}. Shown here is what was sealed.
        </Alert>
      )}
      <Headers headers={mail.headers} />
      {notOwn(row) && (
        <p className={css.note} data-source={row.timeSource}>
          <IconClockQuestion size={14} aria-hidden /> {notOwn(row)}. It counts by {stamp(row.time)}, {timeZone()}.
        </p>
      )}
      {mail.attachments.length > 0 && <Attachments mail={mail} at={at} />}
      {mail.html !== undefined && (
        <SegmentedControl
          size="xs"
          aria-label="Form of the mail"
          value={form}
          onChange={setForm}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'html', label: 'As designed' },
          ]}
        />
      )}
      {mail.truncated && <p className={css.note}>Not all of this mail is shown here; the raw form has all of it.</p>}
      {form === 'html' && mail.html !== undefined ? (
        <Designed html={mail.html} removed={mail.removed ?? []} />
      ) : (
        <>
          <pre className={css.mailText} tabIndex={0} aria-label="Text of the mail">
            {mail.text === '' ? 'This mail has no text.' : <Marked text={mail.text} />}
          </pre>
          <CopyButton text={mail.text}>Copy text</CopyButton>
        </>
      )}
    </div>
  )
}

/**
 * The server has taken out scripts and everything remote; the sandbox forbids them once more: an origin of its own, no scripts, no forms, no way out of its frame.
 */
function Designed({ html, removed }: { html: string; removed: string[] }) {
  return (
    <>
      <Alert variant="light" color="gray" icon={<IconShieldCheck size={18} />} p="xs">
        {removed.length > 0
          ? `Taken out of this mail: ${removed.join(', ')}.`
          : 'Nothing had to be taken out of this mail.'}{' '}
        Nothing is loaded from outside.
      </Alert>
      <iframe
        className={css.frame}
        sandbox=""
        srcDoc={html}
        title="The mail as it was designed"
        referrerPolicy="no-referrer"
      />
    </>
  )
}

function Headers({ headers }: { headers: NamedValue[] }) {
  const [all, setAll] = useState(false)
  const isFirst = ({ name }: NamedValue) => FIRST.includes(name.toLowerCase())
  const first = headers.filter(isFirst)
  const others = headers.filter(header => !isFirst(header))
  return (
    <div>
      <HeaderList headers={first} />
      {others.length > 0 && (
        <>
          <UnstyledButton className={css.only} aria-expanded={all} onClick={() => setAll(a => !a)}>
            {all ? 'Hide the other headers' : `${plural(others.length, 'more header')}`}
          </UnstyledButton>
          <Collapse expanded={all}>
            <HeaderList headers={others} />
          </Collapse>
        </>
      )}
    </div>
  )
}

function HeaderList({ headers }: { headers: NamedValue[] }) {
  return (
    <dl className={css.facts}>
      {headers.map(({ name, value }, i) => (
        <div key={`${name}-${i}`}>
          <dt>{visible(name)}</dt>
          <dd>{visible(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Attachments({ mail, at }: { mail: Mail; at: At }) {
  return (
    <ul className={css.attachments} aria-label="Attachments">
      {mail.attachments.map(({ number, name, type, bytes: size, alsoNamed }) => (
        <li key={number}>
          <a href={`/api/searches/${at.search}/rows/${at.row}/attachments/${number}`} download>
            <IconPaperclip size={15} aria-hidden />
            <span className={css.fileName}>{visible(name)}</span>
            <span className={css.dim}>
              {visible(type)}, {bytes(size)}
            </span>
          </a>
          {alsoNamed && <p className={css.alsoNamed}>Also named: {alsoNamed.map(visible).join(' | ')}</p>}
        </li>
      ))}
    </ul>
  )
}
