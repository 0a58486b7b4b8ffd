package dev.veilgate.enrolment;

import java.security.SecureRandom;

/**
 * A passphrase that is drawn for a file and told to a person once: five groups of five letters and digits, 125 bits, in
 * which nothing looks like something else.
 */
public final class DrawnPassphrase {
    private static final String LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int GROUPS = 5;
    private static final int LETTERS_OF_A_GROUP = 5;

    private DrawnPassphrase() {}

    /** A new one, for the caller to wipe. */
    public static char[] draw(SecureRandom random) {
        char[] drawn = new char[GROUPS * (LETTERS_OF_A_GROUP + 1) - 1];
        for (int i = 0; i < drawn.length; i++) {
            boolean isBetween = i % (LETTERS_OF_A_GROUP + 1) == LETTERS_OF_A_GROUP;
            drawn[i] = isBetween ? '-' : LETTERS.charAt(random.nextInt(LETTERS.length()));
        }
        return drawn;
    }
}
