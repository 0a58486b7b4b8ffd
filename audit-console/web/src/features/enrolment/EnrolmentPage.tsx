import { useEffect, useState } from 'react'
import { Alert, Button, List, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { save } from '@/shared/api/client'
import { ApiError, explain } from '@/shared/api/problem'
import { Foreign } from '@/shared/ui/Foreign'
import { PlainPage } from '@/shared/ui/PlainPage'
import { Exact } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'
import { getFiles, linkOfPage } from './visit'

/** The page behind an enrolment link. It asks for a click, as programs that look at links for their users click on nothing. */
export default function EnrolmentPage() {
  const [link, setLink] = useState(linkOfPage)
  const files = useAction({
    run: () => getFiles(link),
    then: () => window.history.replaceState(null, '', window.location.pathname),
  })
  const { reset } = files
  // Who copies the whole link, or a new one, into the address of this page stays on it.
  useEffect(() => {
    const another = () => {
      setLink(linkOfPage())
      reset()
    }
    window.addEventListener('hashchange', another)
    return () => window.removeEventListener('hashchange', another)
  }, [reset])
  useEffect(() => {
    document.title = 'Your sealed mail · Veilgate'
  }, [])
  return (
    <PlainPage>
      <Title order={1} size="h2">
        Your sealed mail
      </Title>
      {files.data === undefined ? (
        <>
          <Text mt="sm">
            With the files behind this link your mail program opens mail that is sealed for you, and only for you.
          </Text>
          <List mt="md" spacing={6} size="sm">
            <List.Item>The link works once, in this browser. Get the files where your mail program is.</List.Item>
            <List.Item>
              You need a passphrase for them, which whoever gave you the link tells you another way.
            </List.Item>
            <List.Item>Keep both. Nobody can give them to you again.</List.Item>
          </List>
          {files.error && <Refused error={files.error} />}
          <Button
            mt="xl"
            size="md"
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={files.isPending}
            disabled={link === '' || isOver(files.error)}
            onClick={() => files.mutate()}
          >
            Get my files
          </Button>
          {link === '' && (
            <Text mt="md" size="sm" c="red" role="alert">
              The link is not whole: something behind the # is missing. Copy all of it.
            </Text>
          )}
        </>
      ) : (
        <Alert mt="lg" color="green" role="status" title="The files are yours">
          <Text size="sm">
            <strong>
              <Foreign>{files.data.name}</Foreign>
            </strong>{' '}
            is among your downloads. Unpack it, and do what its README.txt says. Nobody else gets anything by this link.
          </Text>
          <Button mt="sm" size="xs" variant="default" onClick={() => save(files.data)}>
            Save it again
          </Button>
        </Alert>
      )}
    </PlainPage>
  )
}

function isOver(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 410 || error.status === 404)
}

const USED_AT = /at (\S+)$/

function Refused({ error }: { error: Error }) {
  const { title, what, todo } = said(error)
  return (
    <Alert mt="lg" color="red" role="alert" title={title}>
      <Text size="sm">{what}</Text>
      {todo && (
        <Text size="sm" mt={4}>
          {todo}
        </Text>
      )}
    </Alert>
  )
}

function said(error: Error) {
  if (!(error instanceof ApiError)) {
    return explain(error)
  }
  const again = 'Ask whoever gave it to you for a new one.'
  switch (error.status) {
    case 400:
      return { title: 'The link is not whole', what: 'A part of it is missing. Copy all of it.' }
    case 404:
      return { title: 'There is no such link', what: 'It is mistyped, or of long ago.', todo: again }
    case 410:
      return error.type === 'link-used'
        ? {
            title: 'This link was used before',
            what: <UsedAt detail={error.detail ?? ''} />,
            todo: 'If that was not you, tell whoever gave it to you at once: they take the certificate back.',
          }
        : { title: 'This link is over', what: `It gives nothing: ${error.detail ?? 'it is over'}.`, todo: again }
    case 423:
      return {
        title: 'Not just now',
        what: 'The keys of the console are locked. Your link is still good.',
        todo: 'Try again later, or tell whoever gave it to you.',
      }
    default:
      return explain(error)
  }
}

function UsedAt({ detail }: { detail: string }) {
  return (
    <>
      Its files were handed over on <Exact at={USED_AT.exec(detail)?.[1]} />, to another browser or in another tab.
    </>
  )
}
