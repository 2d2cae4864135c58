/** The controller as a running thing: one loop that takes events, commits decisions and pushes them. */
package io.tidemark.coordination.controller;
