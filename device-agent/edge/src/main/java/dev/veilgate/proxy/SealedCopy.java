package dev.veilgate.proxy;

import java.nio.file.Path;
import java.util.List;

/**
 * A sealed mail for some of the recipients of a message.
 *
 * @param recipients those who may know of each other: the visible ones, or one hidden one
 * @param file       the mail
 */
record SealedCopy(List<String> recipients, Path file) {}
