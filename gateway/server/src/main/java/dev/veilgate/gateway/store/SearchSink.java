package dev.veilgate.gateway.store;

/** Takes what a search finds while it runs. */
public interface SearchSink {
    /** An envelope that was found. May block, which holds the search back. */
    void hit(SearchHit hit);

    /** Now and then, and once at the end. */
    void progress(SearchProgress progress);
}
