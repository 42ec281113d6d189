/**
 * Checks SSTables against their checksums and their content ({@code verify}), and writes damaged or
 * missing components anew from those that are sound ({@code rebuild}). Confined to the thread of
 * the command.
 */
@NullMarked
package io.siltstone.tools.verify;

import org.jspecify.annotations.NullMarked;
