package dev.veilgate.benchmarks;

import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import java.util.List;
import java.util.function.Function;

/** One scheme of the NTRU-PEKS paper's comparison, with keys, at work on blocks of one keyword each. */
interface PaperScheme {
    /** In milliseconds; NaN for what is not known. */
    record Millis(double test, double encrypt, double trapdoor) {}

    /** In tables and pictures: {@code BCO}. */
    String name();

    /** In tables: {@code lambda 80 N 512}. */
    String parameters();

    /** What the paper prints. */
    Millis paper();

    /** What is wanted here. */
    Millis goal();

    /** The gateway's side. */
    IndexScheme scheme();

    /** Admitted blocks of one record and one keyword each. */
    List<StoredBlock> blocks(int count);

    /** Of a word that no block contains; another one for each number. */
    PreparedTrapdoor wrongTrapdoor(int i);

    /** PEKS of a keyword. */
    Object encrypt(Keyword word);

    /** Trapdoors of keywords, nothing being kept yet. */
    Function<Keyword, Object> trapdoors();

    /** A new authority's keys. */
    Object keyGen();
}
