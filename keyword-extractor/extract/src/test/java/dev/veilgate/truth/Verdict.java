package dev.veilgate.truth;

import java.util.List;
import java.util.function.Function;

/** Answer to whether a record is what a query asks for; {@link #OPEN} where nothing is promised of such a record. */
enum Verdict {
    YES,
    NO,
    OPEN;

    static Verdict of(boolean holds) {
        return holds ? YES : NO;
    }

    Verdict not() {
        return this == OPEN ? OPEN : of(this == NO);
    }

    /** YES if one is, OPEN if one may be. */
    static <T> Verdict any(List<T> of, Function<T, Verdict> each) {
        Verdict found = NO;
        for (T one : of) {
            Verdict verdict = each.apply(one);
            if (verdict == YES) {
                return YES;
            }
            found = verdict == OPEN ? OPEN : found;
        }
        return found;
    }

    /** NO if one is not, OPEN if one may be not. */
    static <T> Verdict all(List<T> of, Function<T, Verdict> each) {
        return any(of, each.andThen(Verdict::not)).not();
    }
}
