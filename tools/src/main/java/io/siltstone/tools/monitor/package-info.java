/**
 * What an operator looks at: {@code tablestats}, {@code tablehistograms}, {@code compactionstats},
 * {@code compactionhistory}, {@code compaction}, {@code info}, {@code top}. {@code Places} finds
 * what is to be looked at, directories or a running process; each is an {@code Observed}, whose
 * figures are the same beans either way, so that each command has one way to print them.
 */
@NullMarked
package io.siltstone.tools.monitor;

import org.jspecify.annotations.NullMarked;
