/**
 * SSTables on disk: the writer, the reader and the verifier, over the packages below, each of which
 * knows one component. They can be used without a database.
 */
@NullMarked
package io.siltstone.sstable;

import org.jspecify.annotations.NullMarked;
