package dev.veilgate.settings;

import java.util.Collection;

/** Finds what somebody meant. */
final class Spelling {
    private static final int FARTHEST = 4;

    private Spelling() {}

    /** The nearest of some words; empty if none is near. */
    static String nearest(String word, Collection<String> words) {
        String nearest = "";
        int least = FARTHEST + 1;
        for (String candidate : words) {
            int distance = distance(word, candidate);
            if (distance < least || distance == least && candidate.compareTo(nearest) < 0) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Letters to put in, take out or change. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j - 1], row[j]));
            }
        }
        return row[b.length()];
    }
}
