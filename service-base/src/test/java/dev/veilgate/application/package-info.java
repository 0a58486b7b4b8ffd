/** What the tests of both applications share: their clock, the pages of the documentation that are made from the code. */
@NullMarked
package dev.veilgate.application;

import org.jspecify.annotations.NullMarked;
