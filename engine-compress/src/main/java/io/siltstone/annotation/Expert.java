package io.siltstone.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a type or method that is public for experts, or for Siltstone's own modules and tools. It
 * may change or go in any release, without a period in which it is deprecated. What is not marked
 * follows the rules of versions in {@code docs/api.md}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Expert {}
