/** The annotation that marks what is public for experts only. May use no other package. */
@NullMarked
package io.siltstone.annotation;

import org.jspecify.annotations.NullMarked;
