@NullMarked
package io.siltstone.campaigns.kill;

import org.jspecify.annotations.NullMarked;
