/** Whether the cluster is well, as each of its members sees it. */
package io.tidemark.cli.health;
