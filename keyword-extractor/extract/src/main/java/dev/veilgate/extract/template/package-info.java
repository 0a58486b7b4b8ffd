/**
 * Kinds of log messages: {@link dev.veilgate.extract.template.TemplateMiner} gives each message the stable name of its
 * template, {@link dev.veilgate.extract.template.TemplateCatalogue} says what the names stand for, and {@link
 * dev.veilgate.extract.template.TemplateListing} puts the catalogues of many senders together. Depends on {@code
 * dev.veilgate.encoding} only.
 */
@NullMarked
package dev.veilgate.extract.template;

import org.jspecify.annotations.NullMarked;
