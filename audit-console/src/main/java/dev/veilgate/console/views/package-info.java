/** How people look at what they found: columns, their order and widths. */
@NullMarked
package dev.veilgate.console.views;

import org.jspecify.annotations.NullMarked;
