/**
 * The settings file: one YAML file for all that runs at the edge, read strictly. An error names file, line and key, and says what is
 * allowed. Every value is also an option of the command, which wins.
 */
@NullMarked
package dev.veilgate.settings;

import org.jspecify.annotations.NullMarked;
