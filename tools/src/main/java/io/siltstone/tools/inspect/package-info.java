/**
 * Commands that examine a table and change nothing: {@code explain-key} says what became of the
 * data of a key, {@code advise} recommends a chunk length and a compaction strategy, {@code
 * inspect} shows the SSTables. All of them open the table for reading only, also while another
 * process writes to it.
 */
@NullMarked
package io.siltstone.tools.inspect;

import org.jspecify.annotations.NullMarked;
