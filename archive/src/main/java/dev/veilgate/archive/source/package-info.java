/**
 * Documents of files and folders: mails, text files, rows of CSV, lines of logs. Start at
 * {@link dev.veilgate.archive.source.DocumentFiles}.
 */
@NullMarked
package dev.veilgate.archive.source;

import org.jspecify.annotations.NullMarked;
