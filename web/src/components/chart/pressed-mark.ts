/** A mark of a drawing that was pressed: its series and point, and where on the screen, in px. */
export interface PressedMark {
  series: number;
  point: number;
  left: number;
  top: number;
}
