/** The demonstration: a leader dies in the middle of a produce, and nothing acknowledged is lost. */
package io.tidemark.cli.demo;
