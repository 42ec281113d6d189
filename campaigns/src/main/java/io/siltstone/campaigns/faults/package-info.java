/** Makes each file operation of a scripted run fail, one after the other, and fills small disks. */
@NullMarked
package io.siltstone.campaigns.faults;

import org.jspecify.annotations.NullMarked;
