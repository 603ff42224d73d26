// Tested by lindorm.test.ts.

/** The key columns that a table may have that is made in SQL. Source: "Quotas and limits", 2026. */
export const maxKeyColumns = 5

/**
 * A name in SQL. In backticks it may be any text, and upper and lower case differ ("Lexical structure of Lindorm SQL", 2025). Names of models
 * have no backticks; how Lindorm would escape one is not documented, and MySQL doubles it.
 */
export const identifier = (name: string): string => `\`${name.replaceAll('`', '``')}\``
