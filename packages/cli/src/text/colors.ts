import { Ansis } from 'ansis'

/** Colours of stdout: none with `NO_COLOR`, or if it is not a terminal and nothing forces them. */
export const colors: Ansis = new Ansis()
