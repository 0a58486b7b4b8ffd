import { Alert, Anchor, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useHasRole } from '@/shared/auth/session'
import { Foreign } from '@/shared/ui/Foreign'
import { Ago } from '@/shared/ui/Time'
import { SOURCES, told, type Problem, type Source } from './problems'
import css from './StatusPage.module.css'

interface Props {
  problems: Problem[]
  notKnown: Source[]
  /** The last question failed: what is here is of before. */
  old: boolean
}

/** What is wrong, the worst first. All is well is said only when everything was asked, just now. */
export function Problems({ problems, notKnown, old }: Props) {
  const unsure = old || notKnown.length > 0
  return (
    <section aria-labelledby="problems">
      <Title order={2} size="h4" id="problems" mb="xs">
        Problems
      </Title>
      {problems.length > 0 && (
        <ul className={`card ${css.problems}`}>
          {problems.map(problem => (
            <OneProblem key={problem.kind} problem={problem} />
          ))}
        </ul>
      )}
      {problems.length === 0 && !unsure && (
        <Alert role="status" color="green" icon={<IconCircleCheck size={20} aria-hidden />} title="Nothing is wrong">
          Gateway, senders, routes and keys were asked just now.
        </Alert>
      )}
      {unsure && (
        <Alert
          role="status"
          color="gray"
          mt={problems.length > 0 ? 'xs' : undefined}
          icon={<IconHelpCircle size={20} aria-hidden />}
          title={problems.length > 0 ? 'Not everything is known' : 'No problem is known, but not everything is known'}
        >
          {old
            ? 'The status could not be read again: nothing is known of what came since.'
            : `Not known: ${notKnown.map(source => SOURCES[source]).join('; ')}. The gateway did not say it, or is of an earlier version.`}
        </Alert>
      )}
    </section>
  )
}

function OneProblem({ problem }: { problem: Problem }) {
  const keeper = useHasRole('keeper')
  const { title, todo, page, bad } = told(problem)
  return (
    <li className={css.problem} data-bad={bad || undefined}>
      <IconAlertTriangle size={20} aria-hidden className={css.icon} />
      <div>
        <Text fw={600} size="sm" component="div">
          <span className="sr-only">{bad ? 'Error: ' : 'Warning: '}</span>
          {title}
          {problem.since && (
            <>
              {', '}
              {problem.kind.endsWith('-ending') ? '' : 'since '}
              <Ago at={problem.since} />
            </>
          )}
        </Text>
        {problem.names.length > 0 && (
          <Text size="sm" component="div">
            <Foreign>{problem.names.join(', ')}</Foreign>
            {problem.kind.startsWith('senders') && (problem.count ?? 0) > problem.names.length && ' and others'}
          </Text>
        )}
        <Text size="sm" c="dimmed" component="div">
          {todo}{' '}
          {page && (!page.keeper || keeper) && (
            <Anchor component={Link} to={page.to} size="sm" underline="always">
              Open {page.label}
            </Anchor>
          )}
        </Text>
      </div>
    </li>
  )
}
