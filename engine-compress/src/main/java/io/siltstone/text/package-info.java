/** Text for messages, and JSON lines. Safe for use by all threads. Uses nothing of the engine. */
@NullMarked
package io.siltstone.text;

import org.jspecify.annotations.NullMarked;
