/**
 * Directories that fail, forget and count: what a test of code on the file seam needs. Published,
 * so that users can test their own recovery with it.
 */
@NullMarked
package io.siltstone.testkit;

import org.jspecify.annotations.NullMarked;
