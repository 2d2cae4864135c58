/** Time, scheduling and randomness as things that are passed in, so that one thread can steer a whole cluster. */
package io.tidemark.runtime;
