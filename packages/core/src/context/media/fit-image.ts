/** How large an image may be for a model, and the size it gets when it is larger. Pure. */

export interface ImageLimits {
  /** Longest side in pixels. */
  readonly maxSide: number;
  /** Squares of 32 pixels that cover the image. */
  readonly maxPatches: number;
}

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const PATCH = 32;

/** For every detail but `original`. */
export const FITTED_LIMITS: ImageLimits = { maxSide: 2048, maxPatches: 2500 };
export const ORIGINAL_LIMITS: ImageLimits = { maxSide: 6000, maxPatches: 10_000 };
/** For images that are kept before it is known which model sees them. */
export const SNAPSHOT_LIMITS: ImageLimits = { maxSide: 2048, maxPatches: Number.POSITIVE_INFINITY };
export const NO_LIMITS: ImageLimits = {
  maxSide: Number.POSITIVE_INFINITY,
  maxPatches: Number.POSITIVE_INFINITY,
};

function patches({ width, height }: ImageSize): number {
  return Math.ceil(width / PATCH) * Math.ceil(height / PATCH);
}

/** The largest size of the same shape within the limits; the size itself when it fits. No side is below 1. */
export function fitImage(size: ImageSize, limits: ImageLimits): ImageSize {
  const sided = fitSide(size, limits.maxSide);
  if (patches(sided) <= limits.maxPatches) return sided;
  const ratio = Math.sqrt((PATCH * PATCH * limits.maxPatches) / (sided.width * sided.height));
  const across = (sided.width * ratio) / PATCH;
  const down = (sided.height * ratio) / PATCH;
  // Shrinks on until one side covers whole patches, so that no patch is spent on a sliver.
  const whole = ratio * Math.min(Math.floor(across) / across, Math.floor(down) / down);
  return { width: Math.max(1, Math.floor(sided.width * whole)), height: Math.max(1, Math.floor(sided.height * whole)) };
}

function fitSide({ width, height }: ImageSize, maxSide: number): ImageSize {
  const longest = Math.max(width, height);
  if (longest <= maxSide) return { width, height };
  const ratio = maxSide / longest;
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) };
}
