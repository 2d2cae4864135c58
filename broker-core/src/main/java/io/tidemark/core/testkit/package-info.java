/** Clock, scheduler and loops that a test or the simulator drives. In main code because both use them. */
package io.tidemark.core.testkit;
