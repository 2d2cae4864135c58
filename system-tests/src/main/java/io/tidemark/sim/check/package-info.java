/** What must hold after each event of a simulated run, and what is remembered to tell it. */
package io.tidemark.sim.check;
