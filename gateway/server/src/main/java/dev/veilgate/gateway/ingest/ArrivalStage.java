package dev.veilgate.gateway.ingest;

import java.util.List;

/**
 * Something that is done with every arrival after it was acknowledged: all stages run in one database transaction, which also moves the journal's position on, in the
 * journal's order. After a crash a stage sees again only what was not committed; but the same sealed mail may come twice, for other
 * recipients, so stages tell by the envelope's id what they did already.
 */
public interface ArrivalStage {
    /** @param batch in the journal's order */
    void apply(List<Applied> batch);
}
