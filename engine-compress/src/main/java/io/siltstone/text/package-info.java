/** Text for messages. Stateless, safe for all threads. Uses nothing of the engine. */
@NullMarked
package io.siltstone.text;

import org.jspecify.annotations.NullMarked;
