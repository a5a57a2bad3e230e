/** The sum of all numbers. */
export function sum(...numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
