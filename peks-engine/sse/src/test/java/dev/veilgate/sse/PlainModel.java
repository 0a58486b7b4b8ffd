package dev.veilgate.sse;

import dev.veilgate.peks.Keyword;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The results that an archive should have, without any cryptography: the twin of all schemes. */
final class PlainModel {
    private final SortedMap<DocumentId, Document> documents = new TreeMap<>();

    void add(Document document) {
        documents.put(document.id(), document);
    }

    void delete(DocumentId id) {
        documents.remove(id);
    }

    SortedMap<DocumentId, Document> documents() {
        return documents;
    }

    /** Documents that answer a question that is not about an order. */
    SortedSet<DocumentId> search(SseExpression question) {
        SortedSet<DocumentId> found = new TreeSet<>();
        documents.forEach((id, document) -> {
            if (holds(question, document)) {
                found.add(id);
            }
        });
        return found;
    }

    private static boolean holds(SseExpression question, Document document) {
        return switch (question) {
            case SseExpression.Word word -> document.words().containsKey(word.word());
            case SseExpression.Prefix prefix ->
                anyValue(
                        document, prefix.beginning().field(), prefix.beginning().value(), "");
            case SseExpression.Pattern pattern -> anyValue(document, pattern.field(), pattern.front(), pattern.end());
            case SseExpression.AllOf all -> all.parts().stream().allMatch(part -> holds(part, document));
            case SseExpression.Best best ->
                best.words().stream().anyMatch(word -> document.words().containsKey(word));
        };
    }

    private static boolean anyValue(Document document, String field, String front, String end) {
        return document.words().keySet().stream()
                .filter(word -> !word.isInterval() && word.field().equals(field))
                .map(Keyword::value)
                .anyMatch(value -> value.length() >= Math.max(front.length(), end.length())
                        && value.startsWith(front)
                        && value.endsWith(end));
    }

    /** The score of each document for some words, each counted once: the sum of tf·ln(N/df). */
    Map<DocumentId, Double> scores(SseExpression.Best best) {
        Map<DocumentId, Double> scores = new HashMap<>();
        for (Keyword word : new TreeSet<>(best.words())) {
            long df = documents.values().stream()
                    .filter(document -> document.words().containsKey(word))
                    .count();
            documents.forEach((id, document) -> {
                Integer tf = document.words().get(word);
                if (tf != null) {
                    scores.merge(id, tf * Math.log((double) documents.size() / df), Double::sum);
                }
            });
        }
        return scores;
    }
}
