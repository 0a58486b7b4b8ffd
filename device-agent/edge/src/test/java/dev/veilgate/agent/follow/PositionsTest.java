package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Positions that are written as a base and what changed since. */
class PositionsTest {
    private static FilePosition position(int file, long offset, boolean done) {
        FilePosition start = FilePosition.start("/logs/" + file % 400 + ".log", new FileId(7, file, 0));
        FilePosition at = new FilePosition(
                start.path(), start.id(), offset, Digest.EMPTY, Digest.of(new byte[9], 0, 9), "", 0, false);
        return done ? at.finished() : at;
    }

    private static List<String> content(Positions positions) {
        List<String> content = new ArrayList<>();
        positions.files().values().forEach(p -> content.add(p.path() + " " + p.id() + " " + p.offset() + p.done()));
        content.add(positions.cursor("journal") + "");
        return content;
    }

    private static void change(Positions positions, Random random) {
        int file = random.nextInt(600);
        switch (random.nextInt(8)) {
            case 0 -> positions.remove(new FileId(7, file, 0));
            case 1 -> positions.putLast(new FileId(7, file, 0));
            case 2 -> positions.putCursor("journal", "c" + random.nextInt());
            default -> positions.put(position(file, random.nextInt(1000), random.nextBoolean()));
        }
    }

    @Test
    void keepsWhatIsSealedBehindALineThatWaits() throws Exception {
        Positions positions = new Positions();
        FilePosition at = position(1, 100, false);
        SealedRanges ahead = SealedRanges.NONE.with(300, 400).with(150, 200).with(200, 210);
        positions.put(at.with(ahead));
        positions.put(position(2, 100, false));
        Positions decoded = Positions.decode(positions.encode());
        assertThat(decoded.files()).isEqualTo(positions.files());
        assertThat(decoded.files().get(at.id()).ahead()).isEqualTo(ahead);
        assertThat(ahead.has(150, 210)).isTrue();
        assertThat(ahead.has(200, 301)).isFalse();
        assertThat(ahead.behind(205).has(205, 210)).isTrue();
        assertThat(ahead.behind(205).has(204, 210)).isFalse();
        assertThat(ahead.with(210, 300).with(0, 150)).isEqualTo(SealedRanges.NONE.with(0, 400));
        assertThat(ahead.behind(400)).isEqualTo(SealedRanges.NONE);
    }

    /** Also of a reader that stops after each save. */
    @Test
    void baseAndChangesAreTheSameAsAllOfThem() throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        System.out.println("PositionsTest: -Dveilgate.seed=" + seed);
        Random random = new Random(seed);
        Positions positions = new Positions();
        byte[] base = positions.encode();
        int bases = 0;
        for (int save = 1; save < 2000; save++) {
            for (int i = random.nextInt(8); i >= 0; i--) {
                change(positions, random);
            }
            if (positions.isSmall()) {
                positions.based(0);
            } else if (positions.needsBase()) {
                base = positions.encode();
                positions.based(save);
                bases++;
            }
            byte[] changes = positions.encodeChanges();
            assertThat(changes.length).isLessThan(50_000);
            long number = positions.base();
            Positions read = number == 0 ? Positions.decode(changes) : Positions.decode(number, base, changes);
            assertThat(content(read)).isEqualTo(content(positions));
            for (String path : List.of("/logs/1.log", "/logs/2.log")) {
                assertThat(read.of(path))
                        .extracting(FilePosition::id)
                        .containsExactlyInAnyOrderElementsOf(positions.files().values().stream()
                                .filter(p -> p.path().equals(path))
                                .map(FilePosition::id)
                                .toList());
            }
            assertThat(read.changed()).isFalse();
            if (random.nextBoolean()) {
                positions = read;
            }
        }
        assertThat(bases).isGreaterThan(20);
    }

    /** Written by an agent that did not note the birth of files: device and inode of each that was removed, and ten fields a position. */
    @Test
    void readsChangesWithoutBirths() throws Exception {
        Positions positions = new Positions();
        for (int i = 0; i < 300; i++) {
            positions.put(position(i, i, false));
        }
        byte[] base = positions.encode();
        CborWriter changes = new CborWriter(200).array(3);
        changes.array(4).integer(7).integer(11).integer(7).integer(12);
        changes.array(1).array(10).text("/logs/x.log").integer(7).integer(500).integer(0);
        changes.integer(0).bytes(Digest.EMPTY.sha256()).integer(0).bytes(Digest.EMPTY.sha256());
        changes.text("").bool(true);
        changes.array(0);
        Positions read = Positions.decode(1, base, changes.toByteArray());
        assertThat(read.files()).hasSize(299).doesNotContainKeys(new FileId(7, 11, 0), new FileId(7, 12, 0));
        assertThat(read.file(new FileId(7, 500, 0)).done()).isTrue();
    }

    @Test
    void rejectsChangesThatAreNone() throws Exception {
        Positions positions = new Positions();
        for (int i = 0; i < 300; i++) {
            positions.put(position(i, i, false));
        }
        byte[] base = positions.encode();
        positions.based(1);
        positions.put(position(3, 9, true));
        byte[] changes = positions.encodeChanges();
        assertThat(changes.length).isLessThan(300);
        for (int length = 0; length < changes.length; length++) {
            byte[] cut = Arrays.copyOf(changes, length);
            assertThatThrownBy(() -> Positions.decode(1, base, cut)).isInstanceOf(MalformedEncodingException.class);
        }
        byte[] longer = Arrays.copyOf(changes, changes.length + 1);
        assertThatThrownBy(() -> Positions.decode(1, base, longer)).isInstanceOf(MalformedEncodingException.class);
    }
}
