import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Page } from '@/shared/ui/Page'
import css from './Leakage.module.css'

/** docs/threat-model.md and SECURITY.md in plain words. Change it when they change. */
export default function LeakagePage() {
  return (
    <Page
      title="What the gateway learns"
      lead="The gateway stores and searches messages that it cannot read. That hides a great deal, and not everything. This is what is left."
    >
      <div className={css.text}>
        <section>
          <h2>Before anybody searches</h2>
          <p>Of each message that it stores, the gateway sees</p>
          <ul>
            <li>who sent it, and of mails who gets it: mail could not be delivered otherwise;</li>
            <li>the times of its first and last record and of its arrival, as the sender’s clock says them;</li>
            <li>
              how many records it has and how large each is. Sizes are not blurred: who knows which lines a program
              prints may guess a line from its length;
            </li>
            <li>
              its scope and epoch, about how many keywords it has, in sixteens, and the policy that says who may read
              it.
            </li>
          </ul>
          <p>
            It sees no keyword, no line, no subject, no attachment, and which messages are alike it does not see either.
          </p>
        </section>
        <section>
          <h2>What a trapdoor gives away</h2>
          <p>
            To search, the console makes a trapdoor for each keyword, scope and epoch of your query. With it the gateway
            can tell which records hold that one keyword. It is not told the keyword. But
          </p>
          <ul>
            <li>
              <strong>it can guess.</strong> Who holds a trapdoor can try words until one fits. A short list (levels,
              names, places) is tried in no time. This is so for every method of this kind, and cannot be mended by a
              better one;
            </li>
            <li>
              <strong>it can link.</strong> The same keyword in the same scope and epoch always gives the same trapdoor.
              The gateway sees that it was asked before, and when;
            </li>
            <li>
              <strong>it can keep it.</strong> A trapdoor works for all messages of its scope and epoch, also for those
              that arrive later. It cannot be called back; it ends with its epoch.
            </li>
          </ul>
        </section>
        <section>
          <h2>What a search gives away</h2>
          <ul>
            <li>
              Which records match each word of your query, not only those that match the whole, and how the words are
              joined by AND, OR and NOT.
            </li>
            <li>The time range and the senders that you limit it to: they are in clear.</li>
            <li>When you search, how often, and for how long you let it run.</li>
            <li>Which of the hits the console fetches, and so what you look at first.</li>
          </ul>
          <p>
            Whoever can send messages into your scope and watch the gateway may learn what you search for, from which of
            those messages match. A range of numbers or times shows roughly how wide it is. A standing route gives the
            same away for every new message, as it arrives.
          </p>
        </section>
        <section>
          <h2>What you can do</h2>
          <ul>
            <li>Search in one scope and a short time; ask for epochs that you need.</li>
            <li>
              Look at “What the gateway learns” below the query{' '}
              <Anchor component={Link} to="/">
                before you search
              </Anchor>
              . It is counted for that query.
            </li>
            <li>Be sparing with words of which there are few, such as names from a list that others know.</li>
            <li>Make routes for what must be known at once, and searches for the rest.</li>
          </ul>
        </section>
        <section>
          <h2>What it cannot do</h2>
          <p>
            It cannot read what it stores, nor search for a word that no trapdoor was made for. It can hold messages
            back, or drop them: registered senders number and chain theirs, so that the chain check of a search shows
            what is missing between the first and the last. What a sender never sent, what is held back behind an
            orderly stop, and mail of strangers cannot be checked so.
          </p>
          <p>
            Nobody outside the project has reviewed it yet. The whole list, with what each promise rests on, is in
            SECURITY.md and docs/threat-model.md of the program.
          </p>
        </section>
      </div>
    </Page>
  )
}
