/**
 * Makes, lists, verifies, prunes and restores backups ({@code backup}). Confined to the thread of
 * the command.
 */
@NullMarked
package io.siltstone.tools.backup;

import org.jspecify.annotations.NullMarked;
