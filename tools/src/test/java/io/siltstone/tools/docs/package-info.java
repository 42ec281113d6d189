/** The documentation, held against the code: what it shows is run, what it states is looked up. */
@NullMarked
package io.siltstone.tools.docs;

import org.jspecify.annotations.NullMarked;
