/**
 * A model of the whole engine, random sequences of operations, and what runs them on an engine and
 * the model and compares.
 *
 * <p>{@code SequenceRunner} is the entry: it takes a {@code Sequence}, which {@code
 * SequenceGenerator} draws from a seed, and what makes an {@code EngineUnderTest}. {@code
 * ReferenceModel} says what each read must give. Other modules run the same sequences on engines of
 * their own.
 */
@NullMarked
package io.siltstone.model;

import org.jspecify.annotations.NullMarked;
