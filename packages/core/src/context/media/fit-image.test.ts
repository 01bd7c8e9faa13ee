import { expect, it } from "vitest";
import { FITTED_LIMITS, fitImage, ORIGINAL_LIMITS } from "./fit-image.js";

it.each([
  [3000, 1500, FITTED_LIMITS, 2048, 1024],
  [7000, 200, FITTED_LIMITS, 2048, 59],
  [1600, 1600, FITTED_LIMITS, 1600, 1600],
  [1601, 1601, FITTED_LIMITS, 1600, 1600],
  [2048, 2048, FITTED_LIMITS, 1600, 1600],
  [1700, 2200, FITTED_LIMITS, 1376, 1780],
  [5000, 3500, FITTED_LIMITS, 1873, 1312],
  [1, 100_000, FITTED_LIMITS, 1, 2048],
  [3000, 1500, ORIGINAL_LIMITS, 3000, 1500],
  [4000, 3000, ORIGINAL_LIMITS, 3669, 2752],
  [9000, 500, ORIGINAL_LIMITS, 6000, 333],
])("fits %i × %i", (width, height, limits, fittedWidth, fittedHeight) => {
  expect(fitImage({ width, height }, limits)).toEqual({ width: fittedWidth, height: fittedHeight });
});
