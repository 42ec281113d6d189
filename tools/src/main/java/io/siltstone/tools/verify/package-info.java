/**
 * Checks SSTables against their checksums and their content ({@code verify}), and rebuilds damaged
 * or missing components from the intact ones ({@code rebuild}). Confined to the thread of the
 * command.
 */
@NullMarked
package io.siltstone.tools.verify;

import org.jspecify.annotations.NullMarked;
