@NullMarked
package io.siltstone.campaigns.damage;

import org.jspecify.annotations.NullMarked;
