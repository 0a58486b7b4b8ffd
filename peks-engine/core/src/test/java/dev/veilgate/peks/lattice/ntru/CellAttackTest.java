package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.random.TwoSided;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An attacker at the cells that hold what frequent keywords' slots have no room for: cells cannot be changed, exchanged
 * or moved; what a forger makes of them yields a set of records that exist, or no match; and nobody without the
 * trapdoor sees which slots refer to cells, or which cells are dummies.
 */
class CellAttackTest {
    private static final NtruParameters P = NtruParameters.N512_Q24;
    private static final NtruIndexScheme SCHEME = NtruIndexScheme.accepting(NtruParameters.all());
    private static final int RECORDS = 200;
    private static final int H = 13;

    private static RecordSet first(int count) {
        return RecordSet.of(IntStream.range(0, count).toArray());
    }

    private static List<SlotMatch> matches(int keyword, IndexBlock block) throws MalformedEncodingException {
        return SCHEME.match(
                SCHEME.prepare(TestKeys.scoped(P, TestKeys.keyword(keyword))),
                SCHEME.storedForm(block, ForgedBlock.CONTEXT));
    }

    private static IndexBlock with(IndexBlock block, PlainBlock payload) {
        return new IndexBlock(
                block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), payload.encode());
    }

    /** Keyword i in the first sizes[i] records. */
    private static IndexBlock sealed(NtruIndexSealer sealer, int... sizes) {
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            postings.add(new Posting(TestKeys.keyword(i), first(sizes[i])));
        }
        return sealer.seal(TestKeys.DOMAIN, ForgedBlock.CONTEXT, RECORDS, postings)
                .getFirst();
    }

    @Test
    void everyBitOfItsCellsCountsAndOfNoOthers() throws MalformedEncodingException {
        IndexBlock block = sealed(TestKeys.sealer(P, "CellAttackTest/bits"), 1, H, 150, 151);
        PlainBlock payload = PlainBlock.parse(block.payload());
        assertThat(payload.cells).hasNumberOfRows(16);
        int[] broken = new int[4];
        for (int cell = 0; cell < 16; cell++) {
            int[] brokenHere = new int[4];
            for (int bit = 0; bit < 8 * H; bit += 7) {
                PlainBlock out = payload.copy();
                out.cells[cell][bit >> 3] ^= (byte) (1 << (bit & 7));
                for (int keyword = 0; keyword < 4; keyword++) {
                    brokenHere[keyword] += matches(keyword, with(block, out)).isEmpty() ? 1 : 0;
                }
            }
            for (int keyword = 0; keyword < 4; keyword++) {
                assertThat(brokenHere[keyword]).isIn(0, (8 * H + 6) / 7); // all bits of a cell or none
                broken[keyword] += brokenHere[keyword] > 0 ? 1 : 0;
            }
        }
        assertThat(broken).containsExactly(0, 1, 2, 2);
    }

    @Test
    void cellsCannotBeExchangedOrTakenFromAnotherBlock() throws MalformedEncodingException {
        NtruIndexSealer sealer = TestKeys.sealer(P, "CellAttackTest/exchange");
        IndexBlock block = sealed(sealer, 1, H, 150, 151);
        PlainBlock payload = PlainBlock.parse(block.payload());
        PlainBlock other = PlainBlock.parse(sealed(sealer, 1, H, 150, 151).payload());
        for (int i = 0; i < 16; i++) {
            for (int j = 0; j < i; j++) {
                PlainBlock out = payload.copy();
                out.cells[i] = payload.cells[j];
                out.cells[j] = payload.cells[i];
                for (int keyword = 0; keyword < 4; keyword++) {
                    int expected = List.of(1, H, 150, 151).get(keyword);
                    assertThat(matches(keyword, with(block, out)))
                            .extracting(match -> match.records().size())
                            .isSubsetOf(expected);
                }
            }
            PlainBlock out = payload.copy();
            out.cells[i] = other.cells[i];
            assertThat(matches(0, with(block, out))).hasSize(1);
        }
        PlainBlock all = payload.copy();
        for (int i = 0; i < 16; i++) {
            all.cells[i] = other.cells[i];
        }
        for (int keyword = 1; keyword < 4; keyword++) {
            assertThat(matches(keyword, with(block, all))).isEmpty();
        }
    }

    /** More or fewer cells than the sender counted: refused, or no slot of the block matches any more. */
    @Test
    void theNumberOfCellsIsBound() throws MalformedEncodingException {
        IndexBlock block = sealed(TestKeys.sealer(P, "CellAttackTest/count"), 1, H, 150, 151);
        PlainBlock payload = PlainBlock.parse(block.payload());
        for (int cells : new int[] {0, 32, 48, 16 * 255}) {
            PlainBlock out = new PlainBlock(P, payload.slots, RECORDS, cells, payload.a);
            for (int slot = 0; slot < payload.slots; slot++) {
                out.paste(slot, payload, slot);
            }
            for (int cell = 0; cell < Math.min(16, cells); cell++) {
                out.cells[cell] = payload.cells[cell].clone();
            }
            if (cells > 2 * payload.slots) {
                assertThatThrownBy(() -> matches(0, with(block, out))).isInstanceOf(MalformedEncodingException.class);
            } else {
                for (int keyword = 0; keyword < 4; keyword++) {
                    assertThat(matches(keyword, with(block, out))).isEmpty();
                }
            }
        }
        // cells where there may be none: one slot, one record, a small message
        for (int[] shape : new int[][] {{1, 200}, {16, 1}, {16, 64}}) {
            ForgedBlock forged = new ForgedBlock(P, shape[0], shape[1], 16, ForgedBlock.honestA(P, "no cells"));
            assertThatThrownBy(() -> SCHEME.storedForm(forged.block(), ForgedBlock.CONTEXT))
                    .isInstanceOf(MalformedEncodingException.class);
        }
    }

    /**
     * A forger who has the slot key: what a field and cells say is a set of records that exist, in its one form, or no
     * match.
     */
    @Test
    void forgedFieldsAndCellsNameRecordsOrNothing() throws MalformedEncodingException {
        int[] a = ForgedBlock.honestA(P, "forged cells");
        int[][] v = new int[2][];
        for (int w = 0; w < 2; w++) {
            int[] t = TestKeys.trapdoor(P, TestKeys.keyword(w)).t();
            v[w] = PlainTwin.kept(P, PlainTwin.product(P, a, t));
        }
        byte[] list = {1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5};
        record Case(byte[] field, byte[] cell, int found) {}
        for (Case c : new Case[] {
            new Case(new byte[] {9, 9, 9, 9}, list, 1),
            new Case(new byte[] {1, 0, 3, 3}, list, 5),
            new Case(new byte[] {9, 8, 8, 8}, list, 0), // descending
            new Case(new byte[] {1, 1, 2, 2}, list, 0), // repeated before the end
            new Case(new byte[] {(byte) 200, (byte) 200, (byte) 200, (byte) 200}, list, 0), // no such record
            new Case(new byte[] {1, 0, 16, 16}, list, 0), // no such cell
            new Case(new byte[] {1, 0, 3, (byte) 255}, list, 0),
            new Case(new byte[] {5, 0, 3, 3}, list, 0), // no such form
            new Case(new byte[] {2, 1, 3, 3}, list, 0),
            new Case(new byte[] {1, 0, 3, 3}, new byte[H], 0), // would fit the field
            new Case(new byte[] {1, 0, 3, 4}, new byte[H], 0), // no record
        }) {
            ForgedBlock forged = new ForgedBlock(P, 16, RECORDS, 16, a);
            byte[] key = PlainTwin.bits(v[0], P, true);
            forged.plain().fields[6] = PlainBlock.cryptField(key, forged.binding(), c.field);
            forged.plain().cells[3] = PlainBlock.cryptCells(key, forged.binding(), c.cell);
            forged.seal(6, v[0]);
            assertThat(matches(0, forged.block()))
                    .extracting(match -> match.records().size())
                    .isEqualTo(c.found == 0 ? List.of() : List.of(c.found));
        }
        // two slots that share a cell: each reads it through its own pad, and stays one keyword's
        ForgedBlock shared = new ForgedBlock(P, 16, RECORDS, 16, a);
        for (int w = 0; w < 2; w++) {
            byte[] key = PlainTwin.bits(v[w], P, true);
            shared.plain().fields[w] = PlainBlock.cryptField(key, shared.binding(), new byte[] {1, 0, 3, 3});
            if (w == 0) {
                shared.plain().cells[3] = PlainBlock.cryptCells(key, shared.binding(), list);
            }
            shared.seal(w, v[w]);
        }
        assertThat(matches(0, shared.block())).containsExactly(new SlotMatch(0, RecordSet.of(1, 2, 3, 4, 5)));
        assertThat(matches(1, shared.block())).isEmpty();
    }

    /** The number of cells is all that shows of how frequent keywords are, in sixteens. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0, 1, 16", "8, 0, 16", "0, 16, 16", "1, 15, 32", "8, 1, 32", "12, 8, 32", "20, 0, 48"})
    void cellsAreCountedInSixteens(int twos, int ones, int cells) {
        int[] sizes = new int[23];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = i < twos ? 14 + 8 * i : i < twos + ones ? 5 + i % 9 : 1 + i % 4;
        }
        IndexBlock block = sealed(TestKeys.sealer(P, "CellAttackTest/sixteens"), sizes);
        assertThat(PlainBlock.parse(block.payload()).cells).hasNumberOfRows(cells);
    }

    /** Fields of rare and of frequent keywords, and cells of every kind, are uniform bytes at uniform places. */
    @Test
    void fieldsAndCellsLookAlike() throws MalformedEncodingException {
        NtruIndexSealer sealer = TestKeys.sealer(P, "CellAttackTest/alike");
        int[] sizes = {1, 1, 4, 4, 5, H, 14, 200};
        long[][] fieldBytes = new long[2][256];
        long[][] cellBytes = new long[2][256];
        long[] cellAt = new long[16];
        int blocks = 600;
        for (int b = 0; b < blocks; b++) {
            IndexBlock block = sealed(sealer, sizes);
            PlainBlock payload = PlainBlock.parse(block.payload());
            byte[] binding = payload.binding(block, ForgedBlock.CONTEXT);
            boolean[] used = new boolean[16];
            for (int keyword = 0; keyword < sizes.length; keyword++) {
                int[] t = TestKeys.trapdoor(P, TestKeys.keyword(keyword)).t();
                SlotMatch match = PlainTwin.match(payload, binding, t).getFirst();
                assertThat(match.records()).isEqualTo(first(sizes[keyword]));
                int[] c = PlainTwin.kept(P, PlainTwin.product(P, payload.a, t));
                byte[] key = PlainTwin.slotKey(P, c, payload.columns[match.slot()]);
                byte[] field = payload.fields[match.slot()];
                for (byte x : field) {
                    fieldBytes[sizes[keyword] > 4 ? 1 : 0][x & 0xff]++;
                }
                for (int cell : payload.references(PlainBlock.cryptField(key, binding, field))) {
                    assertThat(used[cell]).isFalse();
                    used[cell] = true;
                    cellAt[cell]++;
                }
            }
            for (int cell = 0; cell < 16; cell++) {
                for (byte x : payload.cells[cell]) {
                    cellBytes[used[cell] ? 1 : 0][x & 0xff]++;
                }
            }
        }
        assertThat(Arrays.stream(cellAt).sum()).isEqualTo(6L * blocks);
        TwoSided check = new TwoSided();
        for (int kind = 0; kind < 2; kind++) {
            check.equalCounts("fields", fieldBytes[kind]);
            check.equalCounts("cells", cellBytes[kind]);
        }
        Tosses.checkAlike(check, "fields", fieldBytes[0], fieldBytes[1]);
        Tosses.checkAlike(check, "cells", cellBytes[0], cellBytes[1]);
        check.equalCounts("places", cellAt);
        assertThat(check.outliers()).isEmpty();
    }
}
