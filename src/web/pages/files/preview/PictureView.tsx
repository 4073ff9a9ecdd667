import { useReducedMotion } from '@mantine/hooks';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';
import { shownName } from '../../../../text/shown-name.ts';
import type { Previewed } from './content.ts';
import type { PreviewFailure } from './failure.ts';
import { pictureAddresses, pictureFailure, sharperThan, showsNothing } from './pictures.ts';
import { useSwipe } from './useSwipe.ts';
import { useZoomKeys } from './useZoomKeys.ts';

interface PictureViewProps {
  content: Previewed;
  /** Shows another file: 1 = the next, -1 = the previous. */
  go?(step: number): void;
  /** Called when the picture cannot be displayed. */
  fail(failure: PreviewFailure): void;
}

const MAX_SCALE = 8;
/** Above this scale, the original is loaded. */
const PREVIEW_SCALE = 1.2;
const ZOOM_MS = 150;

/** A picture fitted to the window, which can be zoomed and moved by wheel, pinch, double click and the keys + - 0. */
export function PictureView({ content, go, fail }: PictureViewProps) {
  const zoom = useRef<ReactZoomPanPinchRef>(null);
  const [isZoomed, setZoomed] = useState(false);
  const picture = usePicture(content, fail);
  const duration = useReducedMotion() ? 0 : ZOOM_MS;
  useZoomKeys({
    enlarge: () => void zoom.current?.zoomIn(undefined, duration),
    reduce: () => void zoom.current?.zoomOut(undefined, duration),
    reset: () => void zoom.current?.resetTransform(duration),
  });
  const swipe = useSwipe({ isEnabled: !isZoomed, go });
  return (
    <TransformWrapper
      ref={zoom}
      maxScale={MAX_SCALE}
      doubleClick={{ mode: 'toggle', step: 1, animationTime: duration }}
      velocityAnimation={{ disabled: true }}
      zoomAnimation={{ animationTime: duration }}
      onTransform={(_, { scale }) => {
        setZoomed(scale > 1.01);
        if (scale > PREVIEW_SCALE) picture.sharpen();
      }}
    >
      <TransformComponent
        wrapperClass={isZoomed ? 'picture-view zoomed' : 'picture-view'}
        contentClass="picture-content"
        wrapperProps={swipe}
      >
        {content.thumbnail && !picture.isLoaded && (
          <img className="picture" style={sizeOf(content)} src={content.thumbnail} alt="" draggable={false} />
        )}
        <img
          className="picture"
          style={sizeOf(content)}
          src={picture.address}
          alt={shownName(content.name)}
          // A picture that was loaded ahead appears in the next frame.
          decoding="sync"
          draggable={false}
          onLoad={picture.onLoad}
          onError={picture.onError}
        />
      </TransformComponent>
    </TransformWrapper>
  );
}

/** The dimensions beyond which a picture is not enlarged to fit. */
const sizeOf = ({ width, height }: Previewed) =>
  width && height ? { width: `min(100%, ${width}px)`, height: `min(100%, ${height}px)` } : undefined;

/** Selects the address of a picture: the first that can be loaded, and the original when it is enlarged. */
function usePicture(content: Previewed, fail: PictureViewProps['fail']) {
  const addresses = pictureAddresses(content);
  const [failures, setFailures] = useState(0);
  const [sharp, setSharp] = useState<string | null>(null);
  const [isLoaded, setLoaded] = useState(false);
  const isLoading = useRef(false);
  const address = addresses[failures];
  useEffect(() => {
    if (address === undefined) pictureFailure(content).then(fail, () => fail('picture'));
  }, [address, content, fail]);

  async function sharpen() {
    const original = address && sharperThan(address, content);
    if (!original || isLoading.current) return;
    isLoading.current = true;
    const image = new Image();
    image.src = original;
    // If the original cannot be loaded, the preview stays.
    await image.decode().then(
      () => setSharp(original),
      () => {},
    );
  }
  async function examine(image: HTMLImageElement) {
    setLoaded(true);
    // A preview that the server rendered is not damaged.
    if (address !== content.preview && (await showsNothing(image, content))) fail('picture');
  }
  return {
    address: sharp ?? address,
    isLoaded,
    onLoad: ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => void examine(currentTarget),
    onError: () => setFailures((count) => count + 1),
    sharpen: () => void sharpen(),
  };
}
