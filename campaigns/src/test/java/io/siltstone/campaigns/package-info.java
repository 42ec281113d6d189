@NullMarked
package io.siltstone.campaigns;

import org.jspecify.annotations.NullMarked;
