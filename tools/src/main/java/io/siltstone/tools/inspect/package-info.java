/**
 * Commands that look into a table and change nothing: {@code explain-key} says what became of the
 * data of a key, {@code advise} which chunk length and strategy would suit a table, {@code inspect}
 * shows its files. All of them open for reading only, beside whoever writes.
 */
@NullMarked
package io.siltstone.tools.inspect;

import org.jspecify.annotations.NullMarked;
