/**
 * Tests the documentation against the code: commands and examples are run, statements are checked.
 */
@NullMarked
package io.siltstone.tools.docs;

import org.jspecify.annotations.NullMarked;
