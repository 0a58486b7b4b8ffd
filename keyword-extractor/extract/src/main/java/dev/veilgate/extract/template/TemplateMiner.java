package dev.veilgate.extract.template;

import dev.veilgate.encoding.MalformedEncodingException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Objects;

/**
 * Gives each log message the name of its kind: an online Drain (He, Zhu, Zheng, Lyu, "Drain: An Online Log Parsing Approach
 * with Fixed Depth Tree", ICWS 2017). A message is masked (section III-A, but by rules that are the same for every log:
 * {@link MaskedMessage}), led down a tree of fixed depth by its length and first words (III-B, III-C), and joined to the most
 * similar template of the leaf (III-D), whose differing tokens become variables, or is the birth of a template (III-E).
 *
 * <p>The name that a template is born with ({@link TemplateName}) never changes. When two templates become equal, the
 * messages of the younger have the name of the older from then on, and the catalogue says that the names are the same.
 *
 * <p>Bounded: at most {@link TemplateSettings#maxTemplates} templates are known. When a further one is born, one is let go:
 * the longest unused of those that were seen once, and only if there is none the longest unused of all, so a flood of
 * messages that never come again does not push out what does. A template that comes back after that has the name of the message that
 * brought it back. Only a prefix of a message is looked at. Time per message is bounded by the settings, whatever the input.
 *
 * <p>Not safe for use by several threads.
 */
public final class TemplateMiner {
    private final TemplateStore store;
    private final InstantSource clock;
    private final MaskedMessage message;

    /**
     * A miner that knows nothing yet.
     *
     * @param settings limits
     * @param clock    the time of messages that are learned without one, and of the miner's beginning
     */
    public TemplateMiner(TemplateSettings settings, InstantSource clock) {
        this(new TemplateStore(settings, clock.millis()), clock);
    }

    private TemplateMiner(TemplateStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.message = new MaskedMessage(store.settings);
    }

    /** {@link #learn(byte[], int, int, long)} at the clock's time. */
    public TemplateName learn(byte[] message, int from, int to) {
        return learn(message, from, to, clock.millis());
    }

    /** {@link #learn(byte[], int, int, long)} of a text, at the clock's time. */
    public TemplateName learn(String message) {
        byte[] utf8 = message.getBytes(StandardCharsets.UTF_8);
        return learn(utf8, 0, utf8.length, clock.millis());
    }

    /**
     * The name of a message's template, which learns from the message.
     *
     * @param message  any bytes; the message is {@code [from, to)}, best without its header (time, host, process)
     * @param atMillis the message's time, in milliseconds since 1970
     */
    public TemplateName learn(byte[] message, int from, int to, long atMillis) {
        Objects.checkFromToIndex(from, to, message.length);
        this.message.read(message, from, to);
        store.messages++;
        Template found = store.tree.find(this.message);
        if (found == null) {
            TemplateName name = TemplateName.of(this.message.text(), this.message.length());
            found = store.named(name);
            if (found == null) {
                return store.birth(name, this.message, atMillis).current().name;
            }
        }
        return join(found, atMillis);
    }

    private TemplateName join(Template found, long atMillis) {
        store.use(found);
        Template template = found.current();
        if (template != found) {
            store.use(template);
        }
        template.count++;
        template.firstSeenMillis = Math.min(template.firstSeenMillis, atMillis);
        template.lastSeenMillis = Math.max(template.lastSeenMillis, atMillis);
        if (found.hashes.length == message.tokens()) { // else it is another message whose name collides
            store.generalise(found, message.hashes());
            if (template != found) {
                store.generalise(template, message.hashes());
            }
        }
        if (template.count >= 16 && Long.bitCount(template.count) == 1) {
            template.version = ++store.version; // so that counts in catalogues are of the right order
        }
        return template.current().name; // it may have become the same as another just now
    }

    /** The version of {@link #changesSince} that is now: grows with births, changes of a template, and doublings of its count. */
    public long version() {
        return store.version;
    }

    /**
     * Grows with births and changes of a template, and not with counts: a miner of the state that was encoded since it
     * grew last gives messages the same names, as long as no template has to be let go.
     */
    public long shapes() {
        return store.shapes;
    }

    /** Templates known now. */
    public int size() {
        return store.size();
    }

    /**
     * What is new or changed after a version, so that a sender seals each change once: keep the catalogue's version when
     * it is safe, and ask with it the next time. Counts and times are those of now.
     *
     * <p>Of templates that were let go, the last {@link TemplateSettings#maxTemplates} are kept for this.
     *
     * @param since a version of this miner, 0 for everything
     */
    public TemplateCatalogue changesSince(long since) {
        return new TemplateCatalogue(store.generation, store.version, store.changesSince(since));
    }

    /** All that is known: {@link #changesSince} of 0. */
    public TemplateCatalogue catalogue() {
        return changesSince(0);
    }

    /**
     * The state, from which {@link #decodeState} makes a miner that behaves as this one, names included. Contains words
     * of messages: the caller keeps it as it keeps the messages.
     */
    public byte[] encodeState() {
        return MinerState.encode(store);
    }

    /**
     * A miner as it was at {@link #encodeState}.
     *
     * @throws MalformedEncodingException if it is no such state
     */
    public static TemplateMiner decodeState(byte[] state, InstantSource clock) throws MalformedEncodingException {
        return new TemplateMiner(MinerState.decode(state), clock);
    }
}
